/** Names on the command line of the client's options. */
const optionNames: Readonly<Record<string, string>> = {
  allowAdministrators: '--allow-administrators',
  allowEmpty: '--allow-empty',
  allowRemovals: '--allow-removals',
  apiKey: 'VITRINE_API_KEY (--api-key-file)',
  baseUrl: 'VITRINE_BASE_URL (--base-url)',
  columns: '--map',
  concurrency: '--concurrency',
  emptyClears: '--empty-clears',
  ignoreColumns: '--ignore-columns',
  maxRemovalPercent: '--max-removal-percent',
  maxRemovals: '--max-removals',
  planSync: '`vitrine sync plan --out`',
  readOnly: '--read-only',
  requestsPerSecond: '--rate',
  timeoutMs: '--timeout',
};

/** Replaces the client's option names in a message by those of the command line; `baseUrl` is where the address came from. */
export const withOptionNames = (message: string, baseUrl = optionNames['baseUrl']): string => {
  const nameOf = (name: string) => {
    if (name === 'baseUrl') return baseUrl;
    return Object.hasOwn(optionNames, name) ? optionNames[name] : undefined;
  };
  return (
    message
      // Only in "the columns option": "columns" alone means the columns of a file.
      .replaceAll(
        /\b[Tt]he (?:option (\w+)(?= cannot)|(\w+) option\b)/g,
        (text, first?: string, last?: string) => nameOf(first ?? last ?? '') ?? text,
      )
      .replaceAll(/\b[a-z]+[A-Z]\w*\b/g, (name) => nameOf(name) ?? name)
  );
};
