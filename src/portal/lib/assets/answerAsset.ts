import { acceptsGzip } from '../http/acceptsGzip.ts';
import { emptyReply, type PortalReply } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import { assets, uncompressed } from './assets.ts';

/** Answers a request for a browser file. */
export const answerAsset = (request: PortalRequest): PortalReply => {
  const files = assets();
  const asset = request.path.startsWith(files.prefix)
    ? files.get(request.path.slice(files.prefix.length))
    : undefined;
  if (asset === undefined) return emptyReply(404);
  const takesGzip = acceptsGzip(request.header('accept-encoding'));
  return {
    status: 200,
    headers: {
      'content-type': asset.contentType,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
      ...(takesGzip && { 'content-encoding': 'gzip' }),
    },
    body: takesGzip ? asset.gzipped : uncompressed(asset),
  };
};
