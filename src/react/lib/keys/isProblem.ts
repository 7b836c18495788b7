import { problemMediaType } from '@vitrine/contract';

/** Whether a response is a problem document. Anything else comes from a proxy, a firewall or another framework. */
export const isProblem = ({ headers }: Response): boolean =>
  !!headers.get('content-type')?.startsWith(problemMediaType);
