'use client';
import type { ReportAction } from '@vitrine/contract';
import {
  type ComponentPropsWithoutRef,
  forwardRef,
  type ReactNode,
  useContext,
  useEffect,
  useImperativeHandle,
  useState,
} from 'react';
import type { ActionStreamStatus } from './actionSubscription.ts';
import { useReportActions } from './actions.ts';
import { EmbedContext } from './EmbedProvider.tsx';
import { englishLabels, type LabelOverrides, mergeDefined } from './labels.ts';
import { type FrameProps, Holder, ReportIframes } from './ReportIframes.tsx';
import { type EmbeddedReportOptions, useEmbeddedReport } from './useEmbeddedReport.ts';
import { ReportBar, ReportErrorMessage, ReportSkeleton, type ReportSlots } from './view.tsx';

/** The ref handle of `<EmbeddedReport>`. */
export interface EmbeddedReportHandle {
  /**
   * Requests a new key and reloads the report with it, without blanking the visible one: `refreshing`, then `ready`, or
   * `degraded` with the error. A key is requested at most every ten seconds; an earlier call waits until then.
   */
  readonly refresh: () => void;
  /** Requests the report again after an error, like the button of the message. */
  readonly retry: () => void;
  /** Reloads the report with the current key, without blanking it. */
  readonly reload: () => void;
  /**
   * Shows the report in full screen, with a button that ends it. A renewal does not. Call it in the event of a click or a key; rejects
   * where the browser does not allow it.
   */
  readonly requestFullscreen: () => Promise<void>;
  /** The root element. A handle keeps it after the component unmounts. */
  readonly element: HTMLDivElement | null;
}

type RootProps = Omit<
  ComponentPropsWithoutRef<'div'>,
  'children' | 'dangerouslySetInnerHTML' | 'onError' | 'onLoad' | 'title'
>;

/** Props of {@link EmbeddedReport}. All others go to the root element. */
export interface EmbeddedReportProps extends EmbeddedReportOptions, ReportSlots, RootProps {
  /** The ID of the item to show: a positive whole number. */
  readonly itemId: number;
  /** Accessible name of the report. Default: the label `report`. */
  readonly title?: string | undefined;
  /**
   * Height in pixels, or as a CSS length. A percentage refers to the root element, which then also needs a height.
   * To fill a parent, use `height="100%" style={{ height: '100%' }}`. Omit it with `aspectRatio`. Default 800.
   */
  readonly height?: number | string | undefined;
  /** Width to height, as in CSS: `16 / 9`. Replaces `height`. Default: none. */
  readonly aspectRatio?: number | string | undefined;
  /** Attributes of the iframe, such as `sandbox`, `allow` and `referrerPolicy`. Default: none. */
  readonly frameProps?: FrameProps | undefined;
  /** Shows a button above the report that fills the screen with it. Default false. */
  readonly fullscreenButton?: boolean | undefined;
  /** Label overrides, on top of those of the provider. Default: none. */
  readonly labels?: LabelOverrides | undefined;
  /** Called for every click or selection in this report. The backend needs the option `actions`, with `portal` or `itemIdOf`. Default: none. */
  readonly onAction?: ((action: ReportAction) => void) | undefined;
  /** Called when the status of the action stream changes. Without `onAction` there is no stream. Default: none. */
  readonly onActionStatus?: ((status: ActionStreamStatus) => void) | undefined;
}

/**
 * Shows a report of the portal, renews its key and shows messages when something fails.
 *
 * @example
 * ```tsx
 * import { EmbeddedReport } from '@vitrine/react';
 * import '@vitrine/react/styles.css';
 *
 * export const SalesPage = () => <EmbeddedReport itemId={1042} title="Sales by region" height={600} />;
 * ```
 */
export const EmbeddedReport = forwardRef<EmbeddedReportHandle, EmbeddedReportProps>(
  function EmbeddedReport(props, ref): ReactNode {
    const defaults = useContext(EmbedContext);
    const { renderLoading: sharedLoading, renderError: sharedError, onSignIn: sharedSignIn } = defaults;
    const {
      itemId,
      title,
      aspectRatio,
      height: ownHeight = aspectRatio ? '100%' : 800,
      className = '',
      style,
      frameProps,
      fullscreenButton = false,
      labels: ownLabels,
      renderLoading = sharedLoading,
      renderError = sharedError,
      onSignIn = sharedSignIn,
      enabled = true,
      concealKey: _concealKey,
      lazy: _lazy,
      refreshPolicy: _refreshPolicy,
      loadTimeoutMs: _loadTimeoutMs,
      reloadIntervalMs: _reloadIntervalMs,
      onLoad: _onLoad,
      onError: _onError,
      onStateChange: _onStateChange,
      onRefreshDue: _onRefreshDue,
      onAction,
      onActionStatus,
      ...rootProps
    } = props;
    const labels = mergeDefined(englishLabels, defaults.labels, ownLabels);
    const { root, state, frames, refresh, retry, reload } = useEmbeddedReport(itemId, props);
    useReportActions({ itemId }, enabled ? onAction : undefined, {
      onDataChange: reload,
      onStatusChange: onActionStatus,
    });
    useImperativeHandle(
      ref,
      () => ({
        refresh,
        retry,
        reload,
        requestFullscreen: async () => root.current?.requestFullscreen(),
        element: root.current,
      }),
      [refresh, retry, reload, root],
    );
    // The root, not a frame, so that a renewal does not end it.
    const [isFullscreen, setFullscreen] = useState(false);
    useEffect(() => {
      const element = root.current;
      const onChange = () => setFullscreen(!!element?.matches(':fullscreen'));
      element?.addEventListener('fullscreenchange', onChange);
      return () => element?.removeEventListener('fullscreenchange', onChange);
    }, [root]);
    const onFullscreen = () =>
      void (isFullscreen ? document.exitFullscreen() : root.current?.requestFullscreen());
    const height = isFullscreen ? '100%' : ownHeight;
    const { status, error } = state;
    const isShown = frames[0]?.isVisible;
    const renderPlaceholder = () => {
      // Nobody is signed in.
      if (defaults.viewerKey === null) return null;
      if (!error) {
        if (renderLoading) return renderLoading({ state });
        return <ReportSkeleton label={labels.loading} height={height} />;
      }
      if (renderError) return renderError({ state, error, retry });
      const shared = { error, labels, height, onSignIn };
      return <ReportErrorMessage {...shared} onRetry={retry} />;
    };
    return (
      <div
        {...rootProps}
        ref={root}
        className={`vitrine-report ${className}`}
        style={{ aspectRatio, ...style }}
        data-state={status}
        data-code={error?.code}
        aria-busy={status === 'loading'}
      >
        <Holder isVisible>
          {(isShown || isFullscreen) && (
            <ReportBar
              state={state}
              labels={labels}
              isFullscreen={isFullscreen}
              // There is no report in a server's HTML, so that hydration finds no button either.
              hasButton={isFullscreen || (fullscreenButton && document.fullscreenEnabled)}
              onFullscreen={onFullscreen}
            />
          )}
          {!isShown && renderPlaceholder()}
        </Holder>
        <ReportIframes
          frames={frames}
          title={title ?? labels.report}
          height={height}
          frameProps={frameProps}
        />
      </div>
    );
  },
);
