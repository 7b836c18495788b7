import {
  EmbeddedReport,
  type EmbeddedReportHandle,
  type EmbeddedReportProps,
  usePrefetchReport,
} from '@vitrine/react';
import { Activity, createRef, type ReactNode, type Ref, startTransition, useEffect, useState } from 'react';
import { HashRouter, Link, Route, Routes, useParams } from 'react-router';
import { record } from './pageRecord.ts';

/** A report, whose callbacks are recorded. */
const Report = (props: Partial<EmbeddedReportProps> & { ref?: Ref<EmbeddedReportHandle> }) => (
  <EmbeddedReport
    itemId={1042}
    title="Sales by region"
    height={480}
    onLoad={() => record.calls.push('onLoad')}
    onError={({ code }) => record.calls.push(`onError ${code}`)}
    {...props}
  />
);

const requestUrl = async () => {
  const headers = { 'content-type': 'application/json', 'x-vitrine-request': '1' };
  const response = await fetch('/api/embed/keys', { method: 'POST', headers, body: '{"itemId":1042}' });
  const { tenantUrl, itemId, key } = await response.json();
  return `${tenantUrl}/report/${itemId}?ev=${encodeURIComponent(key)}`;
};

/** The control: a hand-written frame without key renewal, which navigates to a new URL for a new key. */
const PlainFrame = () => {
  const [src, setSrc] = useState<string>();
  const [state, setState] = useState('loading');
  const renew = () => void requestUrl().then(setSrc);
  useEffect(renew, []);
  return (
    <>
      <button id="renew" type="button" onClick={renew}>
        Renew
      </button>
      {src !== undefined && (
        <iframe title="Sales by region" src={src} data-state={state} onLoad={() => setState('ready')} />
      )}
    </>
  );
};

const RoutedReport = () => {
  const { itemId = '1042' } = useParams();
  return <Report itemId={Number(itemId)} title={`Report ${itemId}`} />;
};

/** A report in a part of the page that React hides and keeps. */
const ActivityView = ({ isHidden = false }) => {
  const [mode, setMode] = useState<'hidden' | 'visible'>(isHidden ? 'hidden' : 'visible');
  // As a router does it: the change may be painted before React runs the effects.
  const toggle = () =>
    startTransition(() => setMode((current) => (current === 'hidden' ? 'visible' : 'hidden')));
  return (
    <main>
      <button id="toggle" type="button" onClick={toggle}>
        Show or hide
      </button>
      <Activity mode={mode}>
        <Report />
      </Activity>
    </main>
  );
};

/** A report that is pre-rendered, with its key available, in a hidden part of the page. */
const PrerenderedView = () => {
  const [hasKey, setHasKey] = useState(false);
  const prefetch = usePrefetchReport();
  useEffect(() => void prefetch(1042).then(() => setHasKey(true)), [prefetch]);
  return hasKey && <ActivityView isHidden />;
};

/** What the URL of the page asks for. */
export const wishes = new URLSearchParams(location.search);
/** The report of the first view. */
export const report = createRef<EmbeddedReportHandle>();

/** The views of the page by name. */
export const views: Readonly<Record<string, () => ReactNode>> = {
  report: () => (
    <Report
      ref={report}
      fullscreenButton={wishes.has('fullscreen')}
      concealKey={wishes.has('conceal')}
      onAction={wishes.has('listen') ? (action) => record.actions.push(action) : undefined}
    />
  ),
  plain: () => <PlainFrame />,
  lazy: () => (
    <div style={{ paddingBlockStart: 4000 }}>
      <Report lazy />
    </div>
  ),
  scaled: () => (
    <div style={{ width: 320, height: 240, overflow: 'hidden' }}>
      <Report
        style={
          wishes.has('zoom') ? { zoom: 0.5 } : { width: 640, transform: 'scale(0.5)', transformOrigin: '0 0' }
        }
      />
    </div>
  ),
  field: () => (
    <>
      <input id="field" aria-label="A field of the host" />
      <div style={{ blockSize: 2000 }} />
      <Report />
    </>
  ),
  /** Two reports with their own URLs. */
  routes: () => (
    <HashRouter>
      <Link id="open-1044" to="/1044">
        Report 1044
      </Link>
      <Routes>
        <Route path="/:itemId?" element={<RoutedReport />} />
      </Routes>
    </HashRouter>
  ),
  activity: () => <ActivityView />,
  prerendered: () => <PrerenderedView />,
};
