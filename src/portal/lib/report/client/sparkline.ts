const svg = 'http://www.w3.org/2000/svg';
const width = 120;
const height = 30;

/** A small line without axes. */
export const sparkline = (values: readonly number[]): SVGSVGElement => {
  const picture = document.createElementNS(svg, 'svg');
  picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
  picture.setAttribute('preserveAspectRatio', 'none');
  if (values.length < 2) return picture;
  const low = Math.min(...values);
  const range = Math.max(...values) - low || 1;
  const points = values.map((value, place) => [
    ((place / (values.length - 1)) * width).toFixed(1),
    (height - 3 - ((value - low) / range) * (height - 6)).toFixed(1),
  ]);
  const path = points.map((point) => point.join(' ')).join(' L ');
  const area = document.createElementNS(svg, 'path');
  area.setAttribute('d', `M ${path} L ${width} ${height} L 0 ${height} Z`);
  area.setAttribute('class', 'sparkline-area');
  const line = document.createElementNS(svg, 'path');
  line.setAttribute('d', `M ${path}`);
  line.setAttribute('class', 'sparkline-line');
  picture.append(area, line);
  return picture;
};
