/** A seeded random number generator (sfc32): the same seed gives the same numbers. */
export class Prng {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number, stream = 0) {
    this.#a = seed | 0;
    this.#b = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) | 0;
    this.#c = (stream * 0x27d4eb2f) | 0;
    for (let count = 0; count < 12; count += 1) this.#draw();
  }

  /** 0 ≤ x < 1. */
  next(): number {
    return this.#draw() / 2 ** 32;
  }

  /** An integer, both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly [T, ...T[]] | readonly T[]): T {
    const value = values[Math.floor(this.next() * values.length)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  }

  /** Each order of magnitude between the ends has the same probability. */
  spread(from: number, to: number): number {
    return Math.round(Math.exp(Math.log(from) + this.next() * (Math.log(to) - Math.log(from))));
  }

  #draw(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }
}
