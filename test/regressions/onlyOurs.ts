import { expect } from 'vitest';

/** What a check finds when the component passes and the control does not. */
export const onlyOurs = (facts: object) => ({ ours: facts, control: expect.not.objectContaining(facts) });
