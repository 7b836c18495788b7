import { describe, expect, it, onTestFinished } from 'vitest';
import { startProgram } from '../support/startProgram.ts';
import { openInbox } from './support/openInbox.ts';
import { places } from './support/places.ts';

const program = new URL('./programs/oneClick.ts', import.meta.url);

describe.each(places.filter(({ isThere }) => isThere))(
  'a script with an inbox on $database',
  ({ create }) => {
    it.each([
      ['ends by itself after it has stored a click'],
      ['ends after it has closed the inbox', 'close'],
    ])('%s', async (_, ...args) => {
      const place = create();
      const { line, exited } = startProgram(program, [place, ...args]);
      expect(await Promise.all([line(), exited])).toEqual(['1', [0, null]]);
      const inbox = openInbox(place);
      onTestFinished(() => inbox.close());
      expect(await inbox.counts()).toMatchObject({ pending: 1 });
    });
  },
);
