import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openInbox } from './support/openInbox.ts';
import { places } from './support/places.ts';

const program = fileURLToPath(new URL('./programs/oneClick.ts', import.meta.url));

describe.each(places.filter(({ isThere }) => isThere))(
  'a script with an inbox on $database',
  ({ create }) => {
    it('ends by itself after it has stored a click', async () => {
      const place = create();
      const child = spawn(process.execPath, ['--conditions=@vitrine/source', program, place], {
        env: { ...process.env, NODE_OPTIONS: '' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      expect([said, code]).toEqual(['1', 0]);
      const inbox = openInbox(place);
      onTestFinished(() => inbox.close());
      expect(await inbox.counts()).toMatchObject({ pending: 1 });
    });
  },
);
