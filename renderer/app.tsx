export function App() {
  return <main>Mediadesk</main>;
}
