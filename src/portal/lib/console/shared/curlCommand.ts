/** The parts of a logged request that a resend needs. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestBody: string | null;
}

/** Variables for secrets that the log omits. */
const variableOf: Readonly<Record<string, string>> = {
  authorization: '$VITRINE_API_KEY',
  passPhrase: '$VITRINE_PASSPHRASE',
};

/** Headers that curl sets itself, or that belong to the connection. */
const ownHeaders =
  /^(?:host|connection|content-length|accept-encoding|user-agent|sec-.*|origin|referer|keep-alive)$/;

const inQuotes = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Quotes text for a shell, with variables outside the single quotes. */
const withVariables = (text: string, variables: readonly string[]): string =>
  variables.reduce((shell, variable) => shell.replaceAll(variable, () => `'"${variable}"'`), inQuotes(text));

/** The request as a curl command. Secrets that the log omits come from the variables of the `.env`. */
export const curlCommand = (origin: string, request: SentRequest): string => {
  const { method, path, query, headers, requestBody } = request;
  const body = requestBody?.replaceAll(
    /"(passPhrase)":"\*\*\*"/g,
    (_, name: string) => `"${name}":"${variableOf[name]}"`,
  );
  const variables = Object.values(variableOf);
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${inQuotes(`${origin}${path}${query === '' ? '' : `?${query}`}`)}`,
    ...Object.entries(headers)
      .filter(([name]) => !ownHeaders.test(name))
      .map(([name, value]) => {
        const text = `${name}: ${value.replace('***', variableOf[name] ?? '***')}`;
        return `-H ${withVariables(text, variables)}`;
      }),
    ...(body === undefined || body === null ? [] : [`--data ${withVariables(body, variables)}`]),
  ];
  return parts.join(' \\\n  ');
};
