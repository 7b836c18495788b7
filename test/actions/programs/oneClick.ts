/** A short script: stores one click, and neither closes the inbox nor exits. */
import { openInbox } from '../support/openInbox.ts';

const inbox = openInbox(process.argv[2] ?? ':memory:');
const { id } = await inbox.append({ raw: Buffer.from('{}'), receivedAtMs: Date.now() });
process.stdout.write(id);
