/** Values of an attribute that Vitrine sets. */
export type TelemetryAttributes = Record<string, string | number>;

/** The part of a span that Vitrine uses. */
export interface TelemetrySpan {
  setAttributes(attributes: TelemetryAttributes): unknown;
  /** Code 2 is an error. */
  setStatus(status: { code: 2; message?: string }): unknown;
  end(): void;
}

/** Receives the values of a gauge. */
export interface ObservableResult {
  observe(value: number, attributes: TelemetryAttributes): void;
}

/** A gauge that calls back for its values. */
export interface ObservableGauge {
  addCallback(callback: (result: ObservableResult) => void): void;
  removeCallback(callback: (result: ObservableResult) => void): void;
}

/**
 * The part of `@opentelemetry/api` that Vitrine uses. Pass the module: `openTelemetry: await import('@opentelemetry/api')`.
 * The package is an optional peer; without it, nothing is measured.
 */
export interface OpenTelemetryApi {
  readonly trace: {
    getTracer(
      name: string,
      version?: string,
    ): {
      startActiveSpan<TResult>(name: string, run: (span: TelemetrySpan) => TResult): TResult;
    };
  };
  readonly metrics: {
    getMeter(
      name: string,
      version?: string,
    ): {
      createHistogram(
        name: string,
        options: { unit: string; description: string },
      ): { record(value: number, attributes: TelemetryAttributes): void };
      createObservableGauge(name: string, options: { description: string }): ObservableGauge;
    };
  };
}
