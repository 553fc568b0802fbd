// Light or dark, before anything is painted. Not a module: a module would come too late.
'use strict';
{
  const chosen = localStorage.getItem('carillon.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
}
