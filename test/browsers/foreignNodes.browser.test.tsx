import { EmbeddedReport, useEmbeddedReport } from '@vitrine/react';
import { Component, Fragment, type ReactNode } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createBrowserPage } from '../support/browserPage.tsx';

const minute = 60_000;

/** What consent managers and browser extensions do to an iframe. */
const interferences: Readonly<Record<string, (frame: HTMLIFrameElement) => void>> = {
  'replaces the frame by a placeholder': (frame) => {
    const placeholder = document.createElement('div');
    placeholder.textContent = 'This content needs your consent.';
    frame.replaceWith(placeholder);
  },
  'wraps the frame': (frame) => {
    const wrapper = document.createElement('div');
    frame.before(wrapper);
    wrapper.append(frame);
  },
  'removes the frame': (frame) => frame.remove(),
  'empties the frame': (frame) => {
    frame.dataset['src'] = frame.src;
    frame.src = 'about:blank';
  },
  'moves the frame to another place': (frame) => {
    document.body.append(frame);
    onTestFinished(() => frame.remove());
  },
  'replaces the element around the frame': (frame) =>
    frame.parentElement?.replaceWith(document.createElement('div')),
  'wraps the element around the frame': ({ parentElement }) => {
    const wrapper = document.createElement('div');
    parentElement?.before(wrapper);
    if (parentElement) wrapper.append(parentElement);
  },
  'removes the element around the frame': (frame) => frame.parentElement?.remove(),
  'translates the page, which wraps texts in elements': () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: Node[] = [];
    while (texts.nextNode()) found.push(texts.currentNode);
    for (const text of found) {
      const wrapper = document.createElement('font');
      text.parentNode?.replaceChild(wrapper, text);
      wrapper.append(text);
    }
  },
};

interface ReportProps {
  readonly itemId: number;
}

const Report = ({ itemId }: ReportProps): ReactNode => <EmbeddedReport itemId={itemId} height={200} />;

/** A host app with a report. */
const open = async (Shown: (props: ReportProps) => ReactNode = Report) => {
  const page = createBrowserPage();
  const show = (itemId?: number) =>
    page.render(
      <>
        <h1>Host app</h1>
        {itemId && <Shown itemId={itemId} />}
      </>,
    );
  show(1042);
  await page.untilState('ready');
  return { ...page, show, isHostThere: () => !!page.container.querySelector('h1') };
};

type HostApp = Awaited<ReturnType<typeof open>>;

const renew = async ({ advance, container, keys, frames, untilState }: HostApp) => {
  const before = new Set(frames());
  advance(50 * minute);
  await vi.waitFor(
    () => {
      expect(keys).toHaveLength(2);
      expect(frames().filter((frame) => !before.has(frame))).toHaveLength(1);
      expect(container.querySelectorAll('iframe')).toHaveLength(1);
    },
    { timeout: 10_000 },
  );
  await untilState('ready');
};

const sequels: Readonly<Record<string, (host: HostApp) => Promise<void>>> = {
  'a renewal': renew,
  'another item': async ({ show, frames, requests, untilState }) => {
    show(1043);
    await vi.waitFor(() => expect(requests).toEqual([1042, 1043]));
    await untilState('ready');
    expect(frames()).toHaveLength(1);
  },
  'its removal': async ({ show, container }) => {
    show();
    await vi.waitFor(() => expect(container.querySelector('[data-state]')).toBeNull());
  },
};

describe.each(Object.entries(interferences))('a stranger %s', (_, interfere) => {
  it.each(Object.entries(sequels))('and the host app survives %s of the report', async (_sequel, follow) => {
    const host = await open();
    const [frame] = host.frames();
    if (frame) interfere(frame);
    await follow(host);
    expect(host.isHostThere()).toBe(true);
  });
});

const displacements: Readonly<Record<string, (frame: HTMLIFrameElement) => void>> = {
  'moves the frame to the body': (frame) => document.body.append(frame),
  'wraps the frame beside its element': (frame) => {
    const wrapper = document.createElement('div');
    frame.parentElement?.before(wrapper);
    wrapper.append(frame);
  },
  'puts a copy of the frame beside its element': (frame) => {
    frame.parentElement?.before(frame.cloneNode());
    frame.remove();
  },
  'puts a copy of the frame into the body': (frame) => document.body.append(frame.cloneNode()),
};

describe.each(Object.entries(displacements))('a stranger %s', (_, displace) => {
  it.each(['a renewal', 'another item', 'its removal'])('and nobody sees it after %s', async (sequel) => {
    const host = await open();
    const [frame] = host.frames();
    if (!frame) throw new Error('There is no frame.');
    displace(frame);
    expect(document.querySelectorAll(`iframe[name="${frame.name}"]`)).not.toHaveLength(0);
    if (sequel === 'a renewal') host.advance(50 * minute);
    else host.show(sequel === 'another item' ? 1043 : undefined);
    await vi.waitFor(
      () => expect(document.querySelectorAll(`iframe[name="${frame.name}"]`)).toHaveLength(0),
      { timeout: 10_000 },
    );
    expect(host.isHostThere()).toBe(true);
  });
});

describe('a stranger who empties the report', () => {
  const emptyReport = (container: Element) => {
    const report = container.querySelector('.vitrine-report');
    if (!report) throw new Error('There is no report.');
    report.innerHTML = '<p>This content needs your consent.</p>';
  };

  it.each(['another item', 'its removal'] as const)('does not end the host app with %s', async (sequel) => {
    const host = await open();
    emptyReport(host.container);
    await sequels[sequel]?.(host);
    expect(host.isHostThere()).toBe(true);
  });

  it('does not end the host app while the report loads', async () => {
    const page = createBrowserPage();
    const show = (itemId: number) =>
      page.render(
        <>
          <h1>Host app</h1>
          <EmbeddedReport itemId={itemId} height={200} />
        </>,
      );
    show(1042);
    await vi.waitFor(() => emptyReport(page.container), { interval: 1 });
    show(1043);
    await page.untilState('ready');
    expect(page.container.querySelector('h1')).not.toBeNull();
  });
});

/** A report with the markup of the host: each frame in an element of its own, or not. */
const OwnReport = ({ itemId, hasHolders }: ReportProps & { readonly hasHolders: boolean }) => {
  const { root, state, frames } = useEmbeddedReport(itemId);
  const draw = ({ props, isVisible }: (typeof frames)[number]) => (
    <iframe {...props} title="Sales" style={{ visibility: isVisible ? 'visible' : 'hidden' }} />
  );
  return (
    <div ref={root} data-state={state.status}>
      {frames.map((frame) =>
        hasHolders ? (
          <div key={frame.id}>{draw(frame)}</div>
        ) : (
          <Fragment key={frame.id}>{draw(frame)}</Fragment>
        ),
      )}
    </div>
  );
};

/** Catches what would otherwise end the whole app. */
class Boundary extends Component<{ readonly children: ReactNode }> {
  override state = { hasFailed: false };
  static getDerivedStateFromError = () => ({ hasFailed: true });
  override render() {
    return this.state.hasFailed ? <p role="alert">The app has failed.</p> : this.props.children;
  }
}

describe('a host with its own markup, whose frame a consent manager replaces', () => {
  it('survives a renewal with an element around each frame', async () => {
    const host = await open(({ itemId }) => <OwnReport itemId={itemId} hasHolders />);
    host.frames()[0]?.replaceWith(document.createElement('div'));
    await renew(host);
    expect(host.isHostThere()).toBe(true);
  });

  it('control: fails without one', async () => {
    const complain = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const host = await open(({ itemId }) => (
      <Boundary>
        <OwnReport itemId={itemId} hasHolders={false} />
      </Boundary>
    ));
    host.frames()[0]?.replaceWith(document.createElement('div'));
    host.advance(50 * minute);
    await vi.waitFor(() => expect(host.container.querySelector('[role="alert"]')).not.toBeNull(), {
      timeout: 10_000,
    });
    expect(String(complain.mock.calls[0])).toContain('NotFoundError');
  });
});
