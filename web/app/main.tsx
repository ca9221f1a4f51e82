import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { leadToProblems } from "./lead-to-problems.ts";
import "./style.css";

const root = document.getElementById("root");
if (root) {
  leadToProblems();
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
