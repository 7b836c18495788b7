import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { type DoctorCheck, failed, ok, skipped, warning } from '../doctorCheck.ts';
import { codeOf } from '../probe.ts';

const dayMs = 24 * 60 * 60 * 1000;
const soonMs = 14 * dayMs;

const tlsAdvice = (code: string): string => {
  switch (code) {
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return 'The service there is not using TLS. Compare the scheme and the port of the address: https or http.';
    case 'ECONNRESET':
      return 'Compare the scheme and the port of the address: the service there closes the connection during the TLS handshake. If they are right, ask its operator why.';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'The certificate belongs to another host. Compare the host of the address; do not turn verification off.';
    case 'CERT_NOT_YET_VALID':
      return 'The certificate is not valid yet: check the clock of this machine, then ask the operator of the portal.';
    case 'CERT_HAS_EXPIRED':
      return 'The certificate has expired: ask the operator of the portal to renew it, and check the clock of this machine.';
    case 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION':
    case 'ERR_SSL_UNSUPPORTED_PROTOCOL':
      return 'The portal does not offer TLS 1.2 or newer. Ask its operator to update it.';
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return 'The service does not send its intermediate certificate, or its authority is not trusted. Ask its operator to install the whole chain, or add the authority to NODE_EXTRA_CA_CERTS. Do not turn verification off.';
    default:
      return /CERT|SIGNED|UNABLE_TO|ISSUER/.test(code)
        ? 'If the portal, or a proxy that inspects TLS, uses your own authority, add its certificate to NODE_EXTRA_CA_CERTS. Do not turn verification off.'
        : 'Check that the portal is running and that firewalls allow this machine to connect to it. If this network requires a proxy, set HTTPS_PROXY.';
  }
};

/** When the certificate of a host expires; rejects if it cannot be verified. */
const certificateEnd = (url: URL, timeoutMs: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connect({
      // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
      rejectUnauthorized: true,
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

/** Checks the certificates of both addresses. */
export const checkTls: DoctorCheck = {
  id: 'tls',
  title: 'Certificates',
  run: async ({ now, timeoutMs }, evidence) => {
    if (evidence.connection === undefined) return skipped('no connection to check');
    if (evidence.proxy !== undefined) return skipped('verified with the first request, through the proxy');
    const { tenantUrl, apiBaseUrl } = evidence.connection;
    const secure = [apiBaseUrl, tenantUrl]
      .map((url) => new URL(url))
      .filter((url) => url.protocol === 'https:');
    if (secure.length === 0) return skipped('no https address');
    const urls = secure.filter((url) => !evidence.unreachable.has(url.host));
    if (urls.length === 0) {
      const hosts = new Set(secure.map(({ hostname }) => hostname));
      return skipped(`not checked: ${[...hosts].join(' and ')} cannot be resolved`);
    }
    for (const url of urls)
      try {
        const endMs = await certificateEnd(url, timeoutMs);
        if (endMs - now() < soonMs)
          return warning(
            `the certificate of ${url.host} expires in ${Math.floor((endMs - now()) / dayMs)} days`,
            'Ask the operator of the portal to renew it.',
          );
      } catch (error) {
        evidence.unreachable.add(url.host);
        const isOfTenant = url.host !== new URL(apiBaseUrl).host;
        return failed(
          `no verified connection to ${url.host} (${codeOf(error)})`,
          `${isOfTenant ? 'Check VITRINE_TENANT_URL; the browsers of your viewers must reach it. ' : ''}${tlsAdvice(codeOf(error))}`,
        );
      }
    return ok(`accepted for ${[...new Set(urls.map((url) => url.host))].join(' and ')}`);
  },
};
