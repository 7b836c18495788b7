/** The parts of a logged request that a resend needs. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestBody: string | null;
}

/** Variables for secrets that the log omits. */
const variables = /\$VITRINE_(?:API_KEY|PASSPHRASE|WEBHOOK_SECRET)\b/g;

/** Headers that carry an API key. */
const apiKeyHeaders = /(?:authorization|api-?key)$/;

/** Headers that curl sets itself, or that belong to the connection. */
const ownHeaders =
  /^(?:host|connection|content-length|accept-encoding|user-agent|sec-.*|origin|referer|keep-alive)$/;

const inQuotes = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Quotes text for a shell, with variables outside the single quotes. */
const quoted = (text: string): string =>
  inQuotes(text).replaceAll(variables, (variable) => `'"${variable}"'`);

/** The request as a curl command. Secrets that the log omits come from the variables of the `.env`; a key, percent-encoded, from `VITRINE_ENCRYPTED_KEY`. */
export const curlCommand = (origin: string, request: SentRequest): string => {
  const { method, path, query, headers, requestBody } = request;
  const body = requestBody?.replaceAll('"passPhrase":"***"', () => '"passPhrase":"$VITRINE_PASSPHRASE"');
  const url = inQuotes(`${origin}${path}${query === '' ? '' : `?${query}`}`).replace(
    /\bev=\*{3}/,
    () => `ev='"$VITRINE_ENCRYPTED_KEY"'`,
  );
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${url}`,
    ...Object.entries(headers)
      .filter(([name]) => !ownHeaders.test(name))
      .map(([name, value]) => {
        const known = apiKeyHeaders.test(name) ? value.replace('***', () => '$VITRINE_API_KEY') : value;
        return `-H ${quoted(`${name}: ${known}`)}`;
      }),
    ...(body === undefined || body === null ? [] : [`--data ${quoted(body)}`]),
  ];
  return parts.join(' \\\n  ');
};
