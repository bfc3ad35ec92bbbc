import { Bulkhead, type BulkheadOptions } from './bulkhead.ts';

interface Party {
  readonly places: Bulkhead;
  /** The amount of its work that runs or waits. */
  works: number;
}

/** Limits concurrent work of a kind, for each party and in total, so that no party makes others wait. */
export class SharedPlaces {
  readonly #optionsOfParty: BulkheadOptions;
  readonly #all: Bulkhead;
  readonly #parties = new Map<string, Party>();

  /**
   * `places`: in total; `placesOfParty`: for each, fewer than that. `waitingMax`: how much of a party's work may wait.
   */
  constructor({ placesOfParty, ...options }: Omit<BulkheadOptions, 'longPlaces'> & { readonly placesOfParty: number }) {
    this.#optionsOfParty = { ...options, places: placesOfParty, longPlaces: placesOfParty };
    // Work waits for a place of the total only after it has one of its party.
    this.#all = new Bulkhead({ ...options, longPlaces: options.places, waitingMax: Infinity });
  }

  /** Runs the party's work once there is a place for it. @throws BulkheadFull, and what the work throws */
  async run<Result>(partyId: string, work: () => Promise<Result>): Promise<Result> {
    const party = this.#parties.get(partyId) ?? { places: new Bulkhead(this.#optionsOfParty), works: 0 };
    this.#parties.set(partyId, party);
    party.works += 1;
    try {
      return await party.places.run(() => this.#all.run(work));
    } finally {
      party.works -= 1;
      if (party.works === 0) this.#parties.delete(partyId);
    }
  }
}
