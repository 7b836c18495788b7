import { chartOf } from './charts.ts';

/** A chart that is also a table: each figure is next to its bar. */
export const BarChart = ({ name }: { readonly name: string }) => {
  const { caption, unit, date, bars } = chartOf(name);
  const longest = Math.max(...bars.map(({ value }) => value));
  return (
    <table className="manual-chart">
      <caption>
        {caption} ({unit}). Shorter is better. Measured on {date}.
      </caption>
      <tbody>
        {bars.map(({ name: label, isOurs, value }) => (
          <tr key={label} data-ours={isOurs || undefined}>
            <th scope="row">{label}</th>
            <td>
              <div>
                <span style={{ width: `${(value / longest) * 80}%` }} />
                {value.toLocaleString('en')}
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
