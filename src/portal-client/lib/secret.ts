import { inspect } from 'node:util';

const shown = '***';

/**
 * A secret text that prints as `***` in strings, JSON and `util.inspect`.
 * Only {@link Secret.reveal} returns the text; only code that sends it calls this.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The secret text. Call it at the last moment and do not store the result. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  [inspect.custom](): string {
    return shown;
  }
}
