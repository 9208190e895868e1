/** A JSON number as Python prints it after reading it: integers digit for digit, floats by `repr`. */
export function numberText(written: string): string {
  if (!/[.eE]/.test(written)) return written === '-0' ? '0' : written;
  return floatText(Number(written));
}

/**
 * `repr` of a Python float: the shortest digits, an exponent from 1e16 on and below 1e-4, at least two digits in it,
 * and `.0` behind whole numbers.
 */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [mantissa = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= 16 || exponent < -4) {
    const digits = String(Math.abs(exponent)).padStart(2, '0');
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
  }
  const text =
    exponent < 0
      ? value.toFixed(mantissa.replace(/[-.]/g, '').length - exponent - 1)
      : String(value);
  return text.includes('.') ? text : `${text}.0`;
}
