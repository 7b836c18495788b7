/** A compiled path pattern with `{names}`. */
interface CompiledPath {
  readonly parts: readonly string[];
}

const compile = (path: string): CompiledPath => ({ parts: path.split('/').slice(1) });

const decodePart = (part: string): string | undefined => {
  try {
    const text = decodeURIComponent(part);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
};

const match = (compiled: CompiledPath, parts: readonly string[]): Record<string, string> | undefined => {
  if (compiled.parts.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, expected] of compiled.parts.entries()) {
    const part = parts[index] ?? '';
    if (expected.startsWith('{')) {
      const value = decodePart(part);
      if (value === undefined || value === '') return undefined;
      params[expected.slice(1, -1)] = value;
    } else if (expected !== part) return undefined;
  }
  return params;
};

/** The route of a path and method. */
export type Routed<TRoute> =
  | { readonly kind: 'route'; readonly route: TRoute; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'other-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'nothing' };

/** Methods of a route: HEAD is GET without the body (RFC 9110, 9.3.2). */
const methodsOf = (method: string): readonly string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method]);

/** Finds routes by method and path; `{name}` matches one decoded segment. */
export const createRouter = <TRoute extends { readonly method: string; readonly path: string }>(
  routes: readonly TRoute[],
): ((method: string, path: string) => Routed<TRoute>) => {
  const compiled = routes.map((route) => ({ route, path: compile(route.path) }));
  return (method, path) => {
    const parts = path.split('/').slice(1);
    const allowed: string[] = [];
    for (const { route, path: candidate } of compiled) {
      const params = match(candidate, parts);
      if (params === undefined) continue;
      const methods = methodsOf(route.method);
      if (methods.includes(method)) return { kind: 'route', route, params };
      allowed.push(...methods);
    }
    return allowed.length > 0 ? { kind: 'other-method', allowed } : { kind: 'nothing' };
  };
};
