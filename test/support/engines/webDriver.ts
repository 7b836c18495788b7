/** A session of a WebDriver over HTTP (https://www.w3.org/TR/webdriver2/). */
export type WebDriverSession = Awaited<ReturnType<typeof openSession>>;

/** Sends one command to a WebDriver. Fails after 20 seconds: WebKit's now and then answers one never. */
export const callDriver = async (
  url: string,
  { method, body }: { readonly method: string; readonly body?: object | undefined },
): Promise<unknown> => {
  const response = await fetch(url, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
  // The shape of every WebDriver response.
  const { value } = (await response.json()) as { value: unknown };
  if (response.ok) return value;
  const { error, message } = value as { error: string; message: string };
  throw new Error(`The WebDriver answered "${error}" to ${method} ${new URL(url).pathname}: ${message}`);
};

/** Opens a {@link WebDriverSession}. */
export const openSession = async (driverUrl: string, capabilities: object) => {
  const body = { capabilities: { alwaysMatch: capabilities } };
  const opened = await callDriver(`${driverUrl}/session`, { method: 'POST', body });
  const { sessionId } = opened as { sessionId: string };
  const call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> =>
    callDriver(`${driverUrl}/session/${sessionId}${path}`, { method, body });
  return {
    call,
    /** Finds an element in the current document: an object that commands accept unchanged. */
    find: async (value: string) =>
      (await call('POST', '/element', { using: 'css selector', value })) as object,
  };
};
