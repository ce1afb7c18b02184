/**
 * Runs in the page's head before anything is drawn: the theme and the sidebar as they were left, so that nothing flashes.
 * The text holds no quote, ampersand or angle bracket, since React escapes those inside a script.
 */
export const THEME_KEY = "rill-theme";

export const firstPaintScript = [
  "try{",
  "var d=document.documentElement.dataset,s=localStorage;",
  "if(s.getItem(`rill-theme`))d.theme=s.getItem(`rill-theme`);",
  "if(s.getItem(`rill-sidebar`))d.sidebar=s.getItem(`rill-sidebar`)",
  "}catch(e){}",
].join("");
