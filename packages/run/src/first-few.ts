/** The first names of a list, and a mark where there are more. */
export function firstFew(names: readonly string[], most = 3): string {
  return names.length > most ? `${names.slice(0, most).join(', ')}, …` : names.join(', ');
}
