/** A bracket, or a text with the colon that makes it the name of a member. */
const tokens = /[{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?/g;

/**
 * The first name that an object of a valid JSON has twice, at any depth. A parser keeps only the last of such members, so
 * that users would be missing, or a user would get the state of only one of them.
 */
export const repeatedName = (json: string): string | undefined => {
  const open: (Set<string> | undefined)[] = [];
  let names: Set<string> | undefined;
  for (const [token] of json.matchAll(tokens)) {
    if (token === '{' || token === '[') {
      open.push(names);
      names = token === '{' ? new Set() : undefined;
    } else if (token === '}' || token === ']') {
      names = open.pop();
    } else if (token.endsWith(':')) {
      const quoted = token.slice(0, token.lastIndexOf('"') + 1);
      const name = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
      if (names?.has(name) === true) return name;
      names?.add(name);
    }
  }
  return undefined;
};
