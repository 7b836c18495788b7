import { afterAll, describe } from 'vitest';
import { testDatabases } from '../portal/databases.ts';
import { describeConformance } from './support/describeConformance.ts';

const [sqlite, postgres] = await testDatabases('conformance');

describe('the portal on SQLite', () => {
  describeConformance(sqlite?.address ?? ':memory:');
});

describe.skipIf(postgres === undefined)('the portal on Postgres', () => {
  describeConformance(postgres?.address ?? ':memory:');
  afterAll(() => postgres?.drop());
});
