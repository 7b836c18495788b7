/**
 * A portal on a file that creates, changes and removes users continuously until it is killed. Prints each
 * acknowledgment.
 */
import { createPortal } from '@vitrine/portal';

const [, , database = '', round = '0'] = process.argv;
const portal = await createPortal({ database });
const [tenant] = portal.tenants;
if (tenant === undefined) throw new Error('The default seed has two tenants.');
const send = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${tenant.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${tenant.apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
};
const write = async (worker: number) => {
  for (let count = 0; ; count += 1) {
    const email = `round${round}.worker${worker}.${count}@acme.example`;
    const user = await send('POST', '/v1/users', {
      type: 'UserPass',
      email,
      firstName: 'Crash',
      lastName: 'Test',
      roles: ['Viewer'],
      organizationUnits: ['1'],
    });
    process.stdout.write(`created ${user.id}\n`);
    if (count % 3 === 1) {
      await send('PATCH', `/v1/users/${user.id}`, { lastName: 'Changed' });
      process.stdout.write(`changed ${user.id}\n`);
    }
    if (count % 3 === 2) {
      await send('DELETE', `/v1/users/${user.id}`);
      process.stdout.write(`removed ${user.id}\n`);
    }
  }
};
await Promise.all([0, 1, 2, 3].map(write));
