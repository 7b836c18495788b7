import type { PersonSummary } from './backend.ts';

interface StageToolsProps {
  readonly others: readonly PersonSummary[];
  readonly besideId: string | undefined;
  readonly onCompare: (personId: string | undefined) => void;
  readonly isExplained: boolean;
  readonly onExplain: () => void;
}

/** Shows a second viewer beside the first, and how the page is made. */
export const StageTools = ({ others, besideId, onCompare, isExplained, onExplain }: StageToolsProps) => (
  <div className="stage-tools">
    <label className="select">
      <span>Compare with</span>
      <select value={besideId ?? ''} onChange={(event) => onCompare(event.target.value || undefined)}>
        <option value="">nobody</option>
        {others.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
    <button type="button" className="button" aria-expanded={isExplained} onClick={onExplain}>
      How is this made?
    </button>
  </div>
);
