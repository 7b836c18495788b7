import { defaultProfile, type Profile, profileSchema } from './profileSchema.ts';

const known = new Map<string, Profile>([['{}', defaultProfile]]);

/** A tenant's profile from its column; parsed once for each text. */
export const readProfile = (text: string): Profile => {
  const found = known.get(text);
  if (found !== undefined) return found;
  const profile = profileSchema.parse(JSON.parse(text));
  known.set(text, profile);
  return profile;
};
