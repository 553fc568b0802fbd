// Light or dark, and how high rows are, before anything is painted. Not a module: a module would come too late.
'use strict';
{
  const chosen = localStorage.getItem('carillon.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
  if (localStorage.getItem('carillon.density') === 'roomy') document.documentElement.dataset.density = 'roomy';
}
