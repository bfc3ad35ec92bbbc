/** Questions to another process that it has not answered yet. */
export class OpenQuestions<Answer> {
  readonly #open = new Map<number, (answer: Answer | null) => void>();
  #asked = 0;

  /** Asks under a number of its own; null if no answer comes in time. */
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

  /** Resolves the question with its answer; one that comes too late is dropped. */
  answer(id: number, answer: Answer | null): void {
    const resolve = this.#open.get(id);
    this.#open.delete(id);
    resolve?.(answer);
  }

  /** Resolves all open questions with null. */
  close(): void {
    for (const id of this.#open.keys()) this.answer(id, null);
  }
}
