import { Bulkhead, type BulkheadOptions } from './bulkhead.ts';

interface Party {
  readonly places: Bulkhead;
  /** How much of its work runs or waits. */
  works: number;
}

/** Limits how much work of a kind runs at a time, for each party and for all together, so that none keeps others waiting. */
export class SharedPlaces {
  readonly #optionsOfParty: BulkheadOptions;
  readonly #all: Bulkhead;
  readonly #parties = new Map<string, Party>();

  /** `places`: for all; `placesOfParty`: for each, fewer than for all. `waitingMax`: how much of a party's work may wait. */
  constructor({ placesOfParty, ...options }: Omit<BulkheadOptions, 'longPlaces'> & { readonly placesOfParty: number }) {
    this.#optionsOfParty = { ...options, places: placesOfParty, longPlaces: placesOfParty };
    // Only what has a place of its party's waits for one of all.
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
