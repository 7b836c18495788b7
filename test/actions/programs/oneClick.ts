/** A short script: stores one click, and does not exit; it closes the inbox if its second argument says so. */
import { openInbox } from '../support/openInbox.ts';

const inbox = openInbox(process.argv[2] ?? ':memory:');
const { id } = await inbox.append({ raw: Buffer.from('{}'), receivedAtMs: Date.now() });
if (process.argv[3] === 'close') await inbox.close();
process.stdout.write(id);
