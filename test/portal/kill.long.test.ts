import { describe } from 'vitest';
import { sized } from '../support/size.ts';
import { describeKill } from './kill/describeKill.ts';

describe('a portal that is repeatedly killed while it writes', () => {
  describeKill({ inside: sized(0, 100), outside: sized(0, 100), postgres: sized(0, 30) });
});
