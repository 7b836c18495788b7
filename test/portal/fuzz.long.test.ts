import { afterAll, describe } from 'vitest';
import { sized } from '../support/size.ts';
import { testDatabases } from './databases.ts';
import { describeFuzz } from './fuzz/describeFuzz.ts';

const [, postgres] = await testDatabases('fuzz');
const size = { requests: sized(0, 50_000), timeoutMs: 3_600_000 };

describe('the portal with invalid input (long)', () => {
  describeFuzz(size);
});

describe.skipIf(postgres === undefined)('the portal on Postgres with invalid input (long)', () => {
  afterAll(() => postgres?.drop());
  describeFuzz({ ...size, database: postgres?.address ?? '' });
});
