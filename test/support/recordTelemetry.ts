import type { ObservableResult, OpenTelemetryApi, TelemetryAttributes } from '@vitrine/server';

/** An OpenTelemetry API that records its calls. */
export const recordTelemetry = () => {
  const spans: { name: string; attributes: TelemetryAttributes; status?: object; isEnded: boolean }[] = [];
  const measurements: { name: string; value: number; attributes: TelemetryAttributes }[] = [];
  const gauges = new Map<string, (result: ObservableResult) => unknown>();
  const openTelemetry: OpenTelemetryApi = {
    trace: {
      getTracer: () => ({
        startActiveSpan: (name, run) => {
          const span: (typeof spans)[number] = { name, attributes: {}, isEnded: false };
          spans.push(span);
          return run({
            setAttributes: (attributes) => Object.assign(span.attributes, attributes),
            setStatus: (status) => Object.assign(span, { status }),
            end: () => {
              span.isEnded = true;
            },
          });
        },
      }),
    },
    metrics: {
      getMeter: () => ({
        createHistogram: (name) => ({
          record: (value, attributes) => void measurements.push({ name, value, attributes }),
        }),
        createObservableGauge: (name) => ({
          addCallback: (callback) => void gauges.set(name, callback),
          removeCallback: () => void gauges.delete(name),
        }),
      }),
    },
  };
  return { spans, measurements, gauges, openTelemetry };
};
