'use client';
import type { ReportAction } from '@vitrine/contract';
import {
  type ComponentPropsWithoutRef,
  forwardRef,
  type ReactNode,
  useContext,
  useImperativeHandle,
} from 'react';
import { useReportActions } from './actions/useReportActions.ts';
import type { EmbedError } from './errors/embedError.ts';
import type { ReportState } from './frames/reportState.ts';
import { fillIn } from './labels/fillIn.ts';
import { englishLabels, type Labels } from './labels/labels.ts';
import { EmbedContext } from './provider/embedContext.ts';
import { type EmbeddedReportOptions, useEmbeddedReport } from './useEmbeddedReport.ts';

/** What a slot is given. */
export interface SlotProps {
  /** What the report is doing. */
  readonly state: ReportState;
  /** Why it cannot be shown; absent while it loads. */
  readonly error: EmbedError | undefined;
  /** Asks again. */
  readonly retry: () => void;
}

/** What a ref to `<EmbeddedReport>` gives. */
export interface EmbeddedReportHandle {
  /** Asks for a new key and shows the report with it, without blanking the one that is shown. */
  readonly refresh: () => void;
  /** Shows the report anew with the key at hand. */
  readonly reload: () => void;
  /** The outermost element. */
  readonly element: HTMLDivElement | null;
}

/** Attributes that go to the iframe as they are. */
type FrameAttributes = Omit<
  ComponentPropsWithoutRef<'iframe'>,
  'children' | 'height' | 'loading' | 'onError' | 'onLoad' | 'src' | 'srcDoc' | 'width'
>;

/** Props of {@link EmbeddedReport}: these, and the attributes of an iframe. */
export interface EmbeddedReportProps extends EmbeddedReportOptions, FrameAttributes {
  /** The number of the report to show. */
  readonly itemId: number;
  /** Name of the report for people who do not see it. Default: the label `report`. */
  readonly title?: string | undefined;
  /** Height in pixels, or as a CSS length. Default 800. */
  readonly height?: number | string | undefined;
  /** Width to height, as in CSS: `16 / 9`. Takes the place of `height`. */
  readonly aspectRatio?: number | string | undefined;
  /** Class of the outermost element. */
  readonly className?: string | undefined;
  /** Style of the outermost element. */
  readonly style?: ComponentPropsWithoutRef<'div'>['style'];
  /** Shown instead of the skeleton. */
  readonly loading?: ((slot: SlotProps) => ReactNode) | undefined;
  /** Shown instead of the error message. */
  readonly error?: ((slot: SlotProps) => ReactNode) | undefined;
  /** Words to use instead of those of the provider. */
  readonly labels?: Partial<Labels> | undefined;
  /** Called for every click or selection in this report. The backend needs the option `actions`, with `itemIdOf`. */
  readonly onAction?: ((action: ReportAction) => void) | undefined;
}

/** A report of the portal, with everything that makes it appear and stay. */
export const EmbeddedReport = forwardRef<EmbeddedReportHandle, EmbeddedReportProps>(
  function EmbeddedReport(props, ref): ReactNode {
    const {
      itemId,
      title,
      aspectRatio,
      height = aspectRatio ? '100%' : 800,
      className = '',
      style,
      labels: words,
      loading,
      error: errorSlot,
      refresh: _policy,
      lazy: _lazy,
      concealKey: _concealKey,
      loadTimeoutMs: _loadTimeoutMs,
      onLoad: _onLoad,
      onError: _onError,
      onRefresh: _onRefresh,
      onRefreshDue: _onRefreshDue,
      onAction,
      ...attributes
    } = props;
    const labels = { ...englishLabels, ...useContext(EmbedContext).labels, ...words };
    const { root, state, frames, isShown, refresh, reload } = useEmbeddedReport(itemId, props);
    useReportActions({ itemId }, onAction, reload);
    useImperativeHandle(ref, () => ({ refresh, reload, element: root.current }), [refresh, reload, root]);
    const { status, error } = state;
    const slot = { state, error, retry: refresh };
    // Numbers are attributes, so that a server's HTML needs no inline style; lengths can be styles alone.
    const size = typeof height === 'string' ? { height } : {};
    return (
      <div
        ref={root}
        className={`vitrine-report ${className}`}
        style={{ aspectRatio, ...style }}
        data-state={status}
        data-code={error?.code}
        aria-busy={status === 'loading'}
      >
        {frames.map(({ id, props }, index) => (
          <iframe
            key={id}
            className="vitrine-frame"
            title={title ?? labels.report}
            width="100%"
            height={height}
            frameBorder={0}
            allowFullScreen
            {...attributes}
            {...props}
            style={
              isShown && !index ? size : { ...size, position: 'absolute', inset: 0, visibility: 'hidden' }
            }
          />
        ))}
        {isShown ? (
          error && (
            <output className="vitrine-note" style={{ position: 'absolute', bottom: 0 }}>
              {labels.degraded}
            </output>
          )
        ) : error ? (
          errorSlot ? (
            errorSlot(slot)
          ) : (
            <div className="vitrine-message" role="alert" style={{ minHeight: height }}>
              <strong>{labels[error.kind][0]}</strong>
              <p>{fillIn(labels[error.kind][1], error)}</p>
              {error.kind !== 'misconfigured' && (
                <button type="button" onClick={refresh}>
                  {labels.retry}
                </button>
              )}
            </div>
          )
        ) : loading ? (
          loading(slot)
        ) : (
          <output>
            {/* Attributes alone lay it out, so that it needs no style, not even in a server's HTML. */}
            <svg className="vitrine-skeleton" width="100%" height={height} fill="currentColor">
              <text x="50%" y="50%" textAnchor="middle">
                {labels.loading}
              </text>
            </svg>
          </output>
        )}
      </div>
    );
  },
);
