/** Pending questions to another process. */
export class OpenQuestions<Answer> {
  readonly #open = new Map<number, (answer: Answer | null) => void>();
  #asked = 0;

  /** Sends a question with a number of its own; null if no answer arrives in time. */
  ask(send: (id: number) => void, withinMs: number): Promise<Answer | null> {
    const id = ++this.#asked;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.answer(id, null), withinMs);
      this.#open.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      send(id);
    });
  }

  /** Resolves the question with its answer; late answers are dropped. */
  answer(id: number, answer: Answer | null): void {
    const resolve = this.#open.get(id);
    this.#open.delete(id);
    resolve?.(answer);
  }

  /** Resolves all pending questions with null. */
  close(): void {
    for (const id of this.#open.keys()) this.answer(id, null);
  }
}
