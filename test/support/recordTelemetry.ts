import {
  type Attributes,
  type MeterProvider,
  metrics,
  type ObservableCallback,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { onTestFinished } from 'vitest';

/** Stands in for the OpenTelemetry SDK of the process until the test ends, and records what it gets. */
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
  // Only the parts that we call.
  trace.setGlobalTracerProvider({ getTracer: () => tracer } as unknown as TracerProvider);
  metrics.setGlobalMeterProvider({ getMeter: () => meter } as unknown as MeterProvider);
  onTestFinished(() => {
    trace.disable();
    metrics.disable();
  });
  return { spans, measurements, gauges };
};
