import { startDirectory } from './directory.ts';

/** A tenant in its own process, so that its memory is not counted as the client's. */
const count = Number(process.argv[2]);
const directory = await startDirectory();
for (let number = 0; number < count; number += 1)
  directory.add({
    email: `user-${number}@acme.example`,
    firstName: 'Given name',
    lastName: `Family name ${number}`,
    roles: ['Readers'],
  });
process.stdout.write(`${directory.baseUrl}\n`);
