import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { type DoctorStep, failed, ok, skipped, warning } from '../doctorStep.ts';
import { codeOf } from '../look.ts';

const dayMs = 24 * 60 * 60 * 1000;
const soonMs = 14 * dayMs;

/** When the certificate of a host ends; rejects when it cannot be verified. */
const certificateEnd = (url: URL, timeoutMs: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connect({
      host: url.hostname,
      port: Number(url.port || 443),
      ...(isIP(url.hostname) === 0 ? { servername: url.hostname } : {}),
      timeout: timeoutMs,
    });
    socket.on('secureConnect', () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
    socket.on('timeout', () => socket.destroy(Object.assign(new Error('timeout'), { code: 'TIMEOUT' })));
    socket.on('error', reject);
  });

/** Whether the certificates of both addresses are accepted. */
export const checkTls: DoctorStep = {
  id: 'tls',
  title: 'Certificates',
  run: async ({ now, timeoutMs }, facts) => {
    if (facts.connection === undefined) return skipped('there is no connection to check');
    const { tenantUrl, apiBaseUrl } = facts.connection;
    const urls = [apiBaseUrl, tenantUrl]
      .map((url) => new URL(url))
      .filter((url) => url.protocol === 'https:' && !facts.unreachable.has(url.hostname));
    if (urls.length === 0) return skipped('no https address, or no host found');
    for (const url of urls)
      try {
        const endMs = await certificateEnd(url, timeoutMs);
        if (endMs - now() < soonMs)
          return warning(
            `the certificate of ${url.host} ends in ${Math.floor((endMs - now()) / dayMs)} days`,
            'Ask whoever runs the portal to renew it.',
          );
      } catch (error) {
        facts.unreachable.add(url.hostname);
        return failed(
          `no verified connection to ${url.host} (${codeOf(error)})`,
          'If the portal uses an authority of your own, name its certificate in NODE_EXTRA_CA_CERTS. Do not switch verification off.',
        );
      }
    return ok(`accepted for ${urls.map((url) => url.host).join(' and ')}`);
  },
};
