import type { Attributes, ObservableCallback } from '@opentelemetry/api';
import type { OpenTelemetryApi } from '@vitrine/server';

/** An OpenTelemetry API that records its calls. */
export const recordTelemetry = () => {
  const spans: { name: string; attributes: Attributes; status?: object; isEnded: boolean }[] = [];
  const measurements: { name: string; value: number; attributes: Attributes }[] = [];
  const gauges = new Map<string, ObservableCallback>();
  const tracer = {
    startActiveSpan: (name: string, run: (span: object) => unknown) => {
      const span: (typeof spans)[number] = { name, attributes: {}, isEnded: false };
      spans.push(span);
      return run({
        setAttributes: (attributes: Attributes) => Object.assign(span.attributes, attributes),
        setStatus: (status: object) => Object.assign(span, { status }),
        end: () => {
          span.isEnded = true;
        },
      });
    },
  };
  const meter = {
    createHistogram: (name: string) => ({
      record: (value: number, attributes: Attributes) => void measurements.push({ name, value, attributes }),
    }),
    createObservableGauge: (name: string) => ({
      addCallback: (callback: ObservableCallback) => void gauges.set(name, callback),
      removeCallback: () => void gauges.delete(name),
    }),
  };
  const openTelemetry = {
    trace: { getTracer: () => tracer },
    metrics: { getMeter: () => meter },
  } as unknown as OpenTelemetryApi; // only the parts that we call
  return { spans, measurements, gauges, openTelemetry };
};
