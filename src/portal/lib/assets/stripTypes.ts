import { stripTypeScriptTypes } from 'node:module';

/**
 * Takes the types out of a browser module when the portal runs from source. Node marks the function as experimental
 * with a warning on the first call; the source form is for this workspace alone (the built package holds JavaScript),
 * so the warning is kept from the developer's terminal. The call is synchronous: no other warning can be lost.
 */
export const stripTypes = (source: string): string => {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source, { mode: 'strip' });
  } finally {
    process.emitWarning = emitWarning;
  }
};
