import { type DoctorStep, failed, ok, skipped, warning } from '../doctorStep.ts';
import { codeOf, look } from '../look.ts';

const noticeableMs = 30_000;
const harmfulMs = 5 * 60_000;

/** Whether the API answers at all, and whether its clock agrees with ours: a key's end is an instant, not a span. */
export const checkClock: DoctorStep = {
  id: 'clock',
  title: 'API and clock',
  run: async ({ now, timeoutMs }, facts) => {
    if (facts.connection === undefined) return skipped('there is no connection to check');
    const url = new URL(facts.connection.apiBaseUrl);
    if (facts.unreachable.has(url.hostname)) return skipped('the API cannot be reached');
    try {
      const startMs = now();
      const { headers } = await look(url, timeoutMs);
      const portalMs = Date.parse(headers['date'] ?? '');
      if (Number.isNaN(portalMs))
        return warning('the API answers without a Date header', 'Compare the clocks by hand.');
      // The header counts whole seconds, and the answer was written somewhere between request and reply.
      const skewMs = portalMs + 500 - (startMs + now()) / 2;
      const seconds = Math.round(Math.abs(skewMs) / 1000);
      const words = `the portal's clock is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} ours`;
      if (Math.abs(skewMs) > harmfulMs)
        return failed(words, 'Keys will end early or be refused. Set this machine to a time server.');
      if (Math.abs(skewMs) > noticeableMs)
        return warning(words, 'Keys end earlier than planned by as much. Set this machine to a time server.');
      return ok(`answers, and the clocks agree within ${Math.max(1, seconds)} s`);
    } catch (error) {
      facts.unreachable.add(url.hostname);
      return failed(
        `no answer from ${url.host} (${codeOf(error)})`,
        'Check that the portal runs and that a firewall lets this machine connect to it.',
      );
    }
  },
};
