import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { ask, type Row, rowsOf, saveFile, shown, shownTime } from './api.ts';
import { useChange, useConsole } from './context.tsx';
import { Button, Card, Labeled, Nothing, Table } from './parts.tsx';

const steps = [
  ['+1 minute', 60_000],
  ['+10 minutes', 600_000],
  ['+1 hour', 3_600_000],
  ['+1 day', 86_400_000],
] as const;

const clockText = ({ isFrozen, speed, offsetMs }: Row): string => {
  const offset = Math.round(Number(offsetMs) / 1000);
  return [
    isFrozen === true ? 'Frozen' : 'Running',
    ...(speed === 1 ? [] : [`at ${shown(speed)} × speed`]),
    offset === 0
      ? 'in sync with real time'
      : `${Math.abs(offset)} s ${offset > 0 ? 'ahead of' : 'behind'} real time`,
  ].join(', ');
};

/** The portal's clock, with its controls. */
export const ClockView = () => {
  const { say } = useConsole();
  const runChange = useChange();
  const { data = {} } = useQuery({
    queryKey: ['clock'],
    queryFn: () => ask('GET', '/clock'),
    refetchInterval: 1000,
  });
  const [speed, setSpeed] = useState('60');
  const [at, setAt] = useState('');
  const set = (body: object) => runChange(() => ask('POST', '/clock', body));
  return (
    <Card title="Clock">
      <p className="hint">Keys, links, the audit log and webhooks use this clock.</p>
      <p className="clock">{shownTime(data['now'])} UTC</p>
      <p className="hint">{clockText(data)}</p>
      <div className="row">
        <Button onPress={() => set({ freeze: true })}>Freeze</Button>
        <Button onPress={() => set({ resume: true })}>Run</Button>
        {steps.map(([text, advanceMs]) => (
          <Button key={text} onPress={() => set({ advanceMs })}>
            {text}
          </Button>
        ))}
        <Button onPress={() => set({ reset: true })}>Back to real time</Button>
      </div>
      <div className="row">
        <Labeled text="Speed">
          <input type="number" min="0.1" value={speed} onChange={({ target }) => setSpeed(target.value)} />
        </Labeled>
        <Button onPress={() => set({ speed: Number(speed) })}>Set speed</Button>
        <Labeled text="Time (UTC)">
          <input type="datetime-local" step="1" value={at} onChange={({ target }) => setAt(target.value)} />
        </Labeled>
        <Button
          onPress={() =>
            at === '' ? say('Choose a time first.') : set({ set: new Date(`${at}Z`).toISOString() })
          }
        >
          Set time
        </Button>
      </div>
    </Card>
  );
};

const Part = ({
  title,
  hint,
  children,
}: {
  readonly title: string;
  readonly hint: string;
  readonly children: ReactNode;
}) => (
  <Card title={title}>
    <p className="hint">{hint}</p>
    {children}
  </Card>
);

/** The state of the portal: snapshots, export and import, and the way back to the seed. */
export const StateView = () => {
  const { say, confirm } = useConsole();
  const runChange = useChange();
  const file = useRef<HTMLInputElement>(null);
  const { data, error, isPending } = useQuery({
    queryKey: ['snapshots'],
    queryFn: async () => rowsOf(await ask('GET', '/snapshots')).toReversed(),
  });
  const change = (text: string, action: string, act: () => Promise<unknown>) =>
    confirm({ text, action, act: () => runChange(act) });
  const importFile = () => {
    const [chosen] = file.current?.files ?? [];
    if (chosen === undefined) return say('Choose a file first.');
    return change('Replace all tenants with those in the file?', 'Replace', async () =>
      ask('PUT', '/seed', { text: await chosen.text(), fileName: chosen.name }),
    );
  };
  return (
    <div className="stack">
      <Part
        title="Snapshots"
        hint="A snapshot contains the tenants, users, links and audit log, and is kept while the portal runs."
      >
        <div className="row">
          <Button isMain onPress={() => runChange(() => ask('POST', '/snapshots'))}>
            Take a snapshot
          </Button>
        </div>
        {data === undefined || data.length === 0 ? (
          <Nothing error={error} isLoading={isPending}>
            No snapshots yet.
          </Nothing>
        ) : (
          <Table
            label="snapshots"
            rows={data}
            columns={[
              { title: 'Snapshot', field: 'id' },
              { title: 'Created (UTC)', field: 'at', isTime: true },
              {
                title: '',
                render: ({ id }) => (
                  <div className="row-actions">
                    <Button
                      onPress={() =>
                        change('Restore this snapshot? Later changes will be lost.', 'Restore', () =>
                          ask('POST', `/snapshots/${shown(id)}/restore`),
                        )
                      }
                    >
                      Restore
                    </Button>
                  </div>
                ),
              },
            ]}
          />
        )}
      </Part>
      <Part
        title="State as a file"
        hint="A seed in JSON or YAML, without secrets: use it with vitrine portal --seed, or import it here."
      >
        <div className="row">
          <Button
            onPress={() =>
              runChange(async () =>
                saveFile(
                  'portal.seed.json',
                  JSON.stringify(await ask('GET', '/seed'), null, 2),
                  'application/json',
                ),
              )
            }
          >
            Export
          </Button>
          <Labeled text="File">
            <input type="file" accept=".json,.yaml,.yml" ref={file} />
          </Labeled>
          <Button onPress={importFile}>Import</Button>
        </div>
      </Part>
      <Part title="Start over" hint="Tenants, logs, clock and faults become those of the seed.">
        <div className="row">
          <Button
            onPress={() =>
              change('Reset all tenants to the seed? Later changes will be lost.', 'Reset', () =>
                ask('POST', '/reset'),
              )
            }
          >
            Reset to seed
          </Button>
        </div>
      </Part>
    </div>
  );
};
