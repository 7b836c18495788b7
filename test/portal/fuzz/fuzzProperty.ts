import fc from 'fast-check';
import { checkResponse, type FuzzRules } from './checkResponse.ts';
import { generatedRequest } from './generatedRequest.ts';
import { type FuzzAddress, sendGenerated } from './sendGenerated.ts';

/** Checks that every generated request is answered by the rules. */
export const fuzzProperty = (rules: FuzzRules, address: FuzzAddress) =>
  fc.asyncProperty(generatedRequest(rules.world), async (request) => {
    const wrong = checkResponse(request, await sendGenerated(request, address), rules);
    if (wrong.length > 0) throw new Error(wrong.join('; '));
  });
