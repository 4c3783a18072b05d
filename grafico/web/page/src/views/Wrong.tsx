/** What went wrong, where it went wrong. */

export function Wrong({ text, again }: { text: string; again?: () => void }) {
  if (!text) return null;
  return (
    <p class="wrong" role="alert">
      {text} {again ? <button type="button" class="link" onClick={again}>Try again</button> : null}
    </p>
  );
}
