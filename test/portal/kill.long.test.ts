import { describe } from 'vitest';
import { describeKill } from './kill/describeKill.ts';

describe('a portal that is killed a hundred times while it writes has nothing half done, lost or unrecorded: it', () => {
  describeKill({ inside: 100, outside: 100, postgres: 30 });
});
