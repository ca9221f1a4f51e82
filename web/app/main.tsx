import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { focusInvalidFields } from "./focus-invalid-fields.ts";
import "./style.css";

const root = document.getElementById("root");
if (root) {
  focusInvalidFields();
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
