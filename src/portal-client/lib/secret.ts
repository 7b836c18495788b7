import { inspect } from 'node:util';

const shown = '***';

/**
 * A secret text that prints as `***` in strings, JSON and `util.inspect`.
 * {@link Secret.reveal} is the one way to the text; only code that puts it on the wire calls it.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The secret text itself. Call it at the last moment and keep the result nowhere. */
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
